/** Token sequences → list numbers. Open addressing over typed arrays: 100,000 names stay small and quick to walk. */
export interface TokenTrie {
  /** The token's number, or -1 when no name holds it. */
  token(text: string): number;
  /** The node after `token` below `node`, or -1. The root is 0. */
  step(node: number, token: number): number;
  /** What ends at the node, or -1. */
  valueAt(node: number): number;
}

export interface TokenTrieBuilder extends TokenTrie {
  /** The node at the end of a sequence, made where it is missing. */
  nodeFor(tokens: readonly string[]): number;
  setValue(node: number, value: number): void;
}

export function createTokenTrie(): TokenTrieBuilder {
  const tokens = new Map<string, number>();
  const edges = createEdges();
  const values: number[] = [-1];

  const numberOf = (text: string): number => {
    const known = tokens.get(text);
    if (known !== undefined) return known;
    tokens.set(text, tokens.size);
    return tokens.size - 1;
  };

  return {
    token: (text) => tokens.get(text) ?? -1,
    step: (node, token) => (token < 0 ? -1 : edges.get(node, token)),
    valueAt: (node) => values[node] ?? -1,
    setValue: (node, value) => {
      values[node] = value;
    },
    nodeFor(sequence) {
      let node = 0;
      for (const text of sequence) {
        const token = numberOf(text);
        let next = edges.get(node, token);
        if (next < 0) {
          next = values.length;
          values.push(-1);
          edges.set(node, token, next);
        }
        node = next;
      }
      return node;
    },
  };
}

interface Edges {
  get(node: number, token: number): number;
  set(node: number, token: number, child: number): void;
}

function createEdges(): Edges {
  let capacity = 1024;
  let count = 0;
  /** Three numbers an edge: node + 1 (0 is a free place), token, child. */
  let table = new Int32Array(capacity * 3);

  const placeOf = (node: number, token: number): number => {
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(token + 1, 0x85ebca6b)) >>> 0;
    slot ^= slot >>> 15;
    for (;;) {
      const place = (slot & (capacity - 1)) * 3;
      const owner = table[place] ?? 0;
      if (owner === 0 || (owner === node + 1 && table[place + 1] === token)) return place;
      slot += 1;
    }
  };
  const write = (node: number, token: number, child: number): void => {
    const place = placeOf(node, token);
    table[place] = node + 1;
    table[place + 1] = token;
    table[place + 2] = child;
  };
  const grow = (): void => {
    const old = table;
    capacity *= 2;
    table = new Int32Array(capacity * 3);
    for (let place = 0; place < old.length; place += 3) {
      const owner = old[place] ?? 0;
      if (owner !== 0) write(owner - 1, old[place + 1] ?? 0, old[place + 2] ?? 0);
    }
  };

  return {
    get(node, token) {
      const place = placeOf(node, token);
      return table[place] === 0 ? -1 : (table[place + 2] ?? -1);
    },
    set(node, token, child) {
      count += 1;
      if (count * 2 > capacity) grow();
      write(node, token, child);
    },
  };
}
