import { searchTerms, stopWords } from "../snapshot/search-terms.ts";
import type { CallerView } from "../snapshot/view.ts";

/** One matter a task speaks of: its own word, and what else people call it. */
export interface TaskTerm {
  /** The word as the task has it, folded. */
  readonly word: string;
  /** Stems and how much each says of this matter, 0 to 1; the task's own word says most. */
  readonly stems: ReadonlyMap<string, number>;
}

const associated = 0.5;
const everyday = 0.6;
/** Words of a longer task are left out from here on; so is what stands behind so many characters. */
const maxTerms = 300;
const maxTaskLength = 100_000;

/** The words of a task that say what its subject is, with their associations. Linear in the text. */
export function taskTerms(view: CallerView, text: string): readonly TaskTerm[] {
  const groups = view.once(associationsOf);
  const found = new Map<string, TaskTerm>();
  for (const { word, stem } of searchTerms(text.slice(0, maxTaskLength))) {
    if (maxTerms <= found.size) break;
    if (stopWords.has(word) || word.length < 2 || found.has(stem) || /^\d+$/.test(word)) continue;
    const own = everydayWords.has(word) ? everyday : 1;
    const stems = new Map<string, number>();
    for (const other of groups.get(stem) ?? []) stems.set(other, own * associated);
    stems.set(stem, own);
    found.set(stem, { word, stems });
  }
  return [...found.values()];
}

/** For each stem, the stems of the words that people use for the same matter. */
function associationsOf({ vocabulary }: CallerView): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const group of vocabulary.associations) {
    const stems = group.flatMap((it) => searchTerms(it).map((term) => term.stem));
    for (const stem of stems) {
      const set = groups.get(stem) ?? new Set<string>();
      for (const other of stems) if (other !== stem) set.add(other);
      groups.set(stem, set);
    }
  }
  return groups;
}

/** Words of any talk about work and life, which say little of a subject. */
const everydayWords: ReadonlySet<string> = new Set(
  (
    "able accept across act actually add afterwards ago almost alone along already always another anybody anyone anyway anywhere apply around aside asks " +
    "ask asked asking away back bad base basic become becomes begin begins begun behind believe best better big bit bring brings brought build building built business button buy call called calls " +
    "came card care careful carry case cause center certain chance change changed changes changing check choose choosing clear clearly click close code come comes coming company complete config configure connect " +
    "correct cost count course cover create created creates creating current currently cut day days deal decide deep default deploy design detail develop different difficult direct doc docs done double draw drop " +
    "dropping early easy edit else end enough enter even ever every everybody everyone everything exactly example explain fact fail fall far fast feature feel few field file files fill final finally find finish first fit fix " +
    "fixed follow following form format found free front full fun function gave general give given gives giving go goes gone good got great group grow guess half hand happen happened happens happy hard hardly head hear " +
    "heard held hello help helped helps high hold home hope hour hours house idea improve include instead issue item job join keep keeps kept kind knew know known knows large last late later latest lead least leave leaves " +
    "leaving led left less letter level library life light like line link list listed little live local long longer look looked looking looks lose lot love low made main major make maker makes making man manage many matter maybe mean " +
    "means meant meet meeting member men middle minute miss missing modern module money month months morning mostly move moved much must name named names near nearly need needed needs never new next nice night nobody none note nothing " +
    "now number often ok old older one ones open option order original outside own page part particular parts pass past pay people perhaps person phone piece place places plan play please point possible post prefer present press pretty " +
    "print probably problem process product project prove provide pull put puts question quick quickly quite ran rather reach read reading ready real really reason recent record refer release remove rename repeat replace reply report request rest result " +
    "return right room round rounded rule run running runs said save saw say saying says screen second see seem seems seen send sense sent serve server set sets setting several shape shared shift short show shown shows side simple simply since sit " +
    "site size small smaller software solid some somebody someone sometimes soon sort sound speak special spend split stand start started starting starts state stay step steps still stop stopped store story straight string strong stuff style such suggest " +
    "support suppose sure system table take taken takes taking talk talks task team tell telling tells test tests text thank thanks think thinking third thought three tight till time times tiny title today together told tomorrow tonight took tool tools " +
    "top total toward track tried tries trouble true try trying turn turns two type under understand unit update upgrade upon use used useful user users uses using usual usually value various version view visit wait walk wall want wanted wants watch " +
    "week weeks well went whatever whether white whole wide win wish within without woman women wonder word words work worked working works world worry worse worst worth write writes writing written wrong wrote year years yes yesterday yet young"
  ).split(" "),
);
