/**
 * English forms of a word given in its base form: plural, third person, past, participle, `-ing`, and the other of
 * `-ize`/`-ise`. It makes more forms than English has ("stoped"); none of those is another word. The base form is
 * among them. Words that are not plain ASCII letters keep their form and take only the plural `s`.
 */
export function formsOf(base: string): readonly string[] {
  const forms = new Set<string>();
  for (const spelling of spellings(base)) {
    forms.add(spelling);
    for (const form of irregular[spelling] ?? []) forms.add(form);
    if (!/^[a-z]+$/.test(spelling)) {
      if (/[a-z]$/.test(spelling)) forms.add(`${spelling}s`);
      continue;
    }
    forms.add(plural(spelling));
    for (const form of verbForms(spelling)) forms.add(form);
  }
  return [...forms];
}

function spellings(base: string): readonly string[] {
  if (/[a-z]{3}i[sz]e$/.test(base) && !fixedSpelling.has(base)) {
    const stem = base.slice(0, -2);
    return [`${stem}ze`, `${stem}se`];
  }
  return [base];
}

const fixedSpelling = new Set(
  "promise exercise advise devise revise surprise rise wise otherwise premise size prize seize compromise".split(" "),
);

function plural(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

function verbForms(word: string): readonly string[] {
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ied`, `${word}ing`];
  if (/ie$/.test(word)) return [`${word}d`, `${word.slice(0, -2)}ying`];
  if (/(?:ee|oe|ye)$/.test(word)) return [`${word}d`, `${word}ing`];
  if (/e$/.test(word)) return [`${word}d`, `${word.slice(0, -1)}ing`, `${word}ing`];
  const doubled = `${word}${word.at(-1)}`;
  const doubles = /[^aeiou][aeiou][bdfgklmnprtvz]$/.test(word) || /^[aeiou][bdgmnprt]$/.test(word);
  return doubles ? [`${word}ed`, `${word}ing`, `${doubled}ed`, `${doubled}ing`] : [`${word}ed`, `${word}ing`];
}

/** Forms that no rule makes. */
const irregular: Readonly<Record<string, readonly string[]>> = {
  be: ["am", "is", "are", "was", "were", "been", "being"],
  become: ["became"],
  begin: ["began", "begun", "beginning"],
  bring: ["brought"],
  build: ["built"],
  buy: ["bought"],
  catch: ["caught"],
  child: ["children"],
  come: ["came"],
  cut: ["cut", "cutting"],
  do: ["does", "did", "done"],
  fall: ["fell", "fallen"],
  feel: ["felt"],
  find: ["found"],
  foot: ["feet"],
  get: ["got", "gotten"],
  give: ["gave", "given"],
  go: ["goes", "went", "gone"],
  grow: ["grew", "grown"],
  have: ["has", "had"],
  hold: ["held"],
  keep: ["kept"],
  know: ["knew", "known"],
  lead: ["led"],
  leave: ["left"],
  lose: ["lost"],
  make: ["made"],
  man: ["men"],
  mean: ["meant"],
  overcome: ["overcame"],
  person: ["people"],
  put: ["put", "putting"],
  run: ["ran", "running"],
  say: ["said"],
  see: ["saw", "seen"],
  sell: ["sold"],
  send: ["sent"],
  set: ["set", "setting"],
  show: ["shown"],
  sit: ["sat"],
  speak: ["spoke", "spoken"],
  split: ["split"],
  take: ["took", "taken"],
  teach: ["taught"],
  tell: ["told"],
  think: ["thought"],
  turn: [],
  understand: ["understood"],
  weave: ["wove", "woven"],
  wife: ["wives"],
  woman: ["women"],
  write: ["wrote", "written"],
};
