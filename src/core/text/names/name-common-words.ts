/**
 * English words that acronyms are made to spell. A name that spells one of them counts in prose only in capitals
 * (`CARE`, `RISE`): "with care" is not a mention of the CARE Principles.
 */
export const commonWords: ReadonlySet<string> = new Set(
  (
    "a able about act age aid aim air all an and any arc are arm art as ask at bad bar base be bear best big bill bit " +
    "bond book box but by call can cap care case cat chart city clan clear come core cost cup day deal do dot draw due " +
    "earth east ease edge end era eye face fact fair fall far feel few fine fire first fit flag flow for form fox free " +
    "from full gain game get gift give go goal good grant grow had hand has have he head heal hear heart help her here " +
    "hero high him his hold home hope host how hub idea if in into is it its join just keep key kin kind land last " +
    "lead leaf leap learn less let life lift light like line link list live long look lore love low made main make man " +
    "many map mark may me meet mind moon more most move much must my name near need net new next no north not now of " +
    "off old on one open or oral order our out over own pace part pass past path peace people place plan plant play " +
    "point power pride prism pulse put raise reach read real rest ride right ring rise river road role roof root round " +
    "rule safe sage sail same save say sea see seed self sense set share shift show side sign sit site smart so some " +
    "song soul source south space spark star start stay stem step still stone story strong such sun sure table take " +
    "talk task tea team tell ten test than that the their them then there they this tide tie time to told too tool top " +
    "trace track trail tree tribe true trust try turn two under unit up us use value view voice walk want was watch " +
    "water wave way we web weave well were west what when who why will wind wise wish with wolf word work world would " +
    "yes yet you young your zone"
  ).split(" "),
);
