import { type Word, words } from "../words/words.ts";
import { gapBetween, punctuationToken } from "./name-gap.ts";
import type { TokenTrie } from "./name-trie.ts";

/** A run of tokens that is a name's; `value` is what the trie holds at its end. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

interface Found<T> {
  readonly start: number;
  readonly end: number;
  /** The word and the part to go on reading from. */
  readonly word: number;
  readonly part: number;
  readonly mention: T;
}

/** Walks a text from left to right; at each word or part, the longest match that `accept` takes wins. */
export function walkNames<T>(
  trie: TokenTrie,
  text: string,
  from: number,
  to: number,
  accept: (match: Match) => T | undefined,
): readonly T[] {
  const read = words(text, from, to);
  const mentions: T[] = [];
  let word = 0;
  let part = 0;
  while (word < read.length) {
    const found = longestFrom(trie, text, read, word, part, accept);
    if (found !== undefined) {
      mentions.push(found.mention);
      word = found.word;
      part = found.part;
    } else if (part + 1 < (read[word]?.parts.length ?? 0)) part += 1;
    else {
      word += 1;
      part = 0;
    }
  }
  return mentions;
}

function longestFrom<T>(
  trie: TokenTrie,
  text: string,
  read: readonly Word[],
  word: number,
  part: number,
  accept: (match: Match) => T | undefined,
): Found<T> | undefined {
  const first = read[word];
  if (first === undefined) return undefined;
  const start = part === 0 ? first.start : (first.parts[part]?.start ?? first.start);
  let best: Found<T> | undefined;

  const propose = (node: number, end: number, nextWord: number, nextPart: number): void => {
    const value = trie.valueAt(node);
    if (value < 0) return;
    if (best !== undefined && (nextWord < best.word || (nextWord === best.word && nextPart <= best.part))) return;
    const mention = accept({ start, end, value });
    if (mention !== undefined) best = { start, end, word: nextWord, part: nextPart, mention };
  };
  const go = (node: number, at: number, from: number): void => {
    const current = read[at];
    if (current === undefined) return;
    const next = read[at + 1];
    const soft = next !== undefined && gapBetween(text, current.end, next.start) !== undefined;
    const follow = (child: number, end: number): void => {
      if (child < 0) return;
      propose(child, end, at + 1, 0);
      if (next === undefined) return;
      if (soft) go(child, at + 1, 0);
      else {
        const over = trie.step(child, trie.token(punctuationToken(text, current.end, next.start)));
        if (over >= 0) go(over, at + 1, 0);
      }
    };
    if (from === 0 && !current.unspaced) {
      if (current.possessive !== undefined) {
        follow(trie.step(node, trie.token(withoutPossessive(current))), current.possessive);
      }
      follow(trie.step(node, trie.token(current.loose)), current.end);
    }
    const piece = current.parts[from];
    if (piece === undefined) return;
    const child = trie.step(node, trie.token(piece.loose));
    if (child < 0) return;
    if (from + 1 === current.parts.length) follow(child, piece.end);
    else {
      propose(child, piece.end, at, from + 1);
      go(child, at, from + 1);
    }
  };
  go(0, word, part);
  return best;
}

const withoutPossessive = (word: Word): string => word.loose.slice(0, -1);
