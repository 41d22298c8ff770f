import { visibleLine } from "../../../base/visible-text.ts";
import type { Received } from "../../../ledger/records.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { withLedger } from "./with-ledger.ts";

export interface ReceivedArgs {
  readonly concept: string;
  readonly json: boolean;
}

/** `ledger received`: who was told a concept, so that they can be told that it was withdrawn. */
export function runLedgerReceived({ concept: name, json }: ReceivedArgs, settings: Settings, io: Io): Promise<number> {
  return withLedger(settings, io, async ({ ledger, view, hidden, idOf }) => {
    const concept = idOf(name);
    const known = await ledger.received(concept);
    const received = hidden.has(concept) ? { ...known, recipients: [] } : known;
    const withdrawn = view.concepts.get(concept)?.concept.withdrawn?.at;
    print(io, json ? JSON.stringify(received, undefined, 2) : receivedText(received, withdrawn));
    return exitCodes.ok;
  });
}

function receivedText({ concept, recipients, forgotten, logging }: Received, withdrawn: string | undefined): string {
  const who = recipients.map(
    ({ agent, session, events, first, last }) =>
      `  ${visibleLine(agent)}${session === null ? "" : `, session ${visibleLine(session)}`}: ${events} times, ${first} to ${last}`,
  );
  return [
    ...(withdrawn === undefined ? [] : [`${concept} was withdrawn ${withdrawn}.`]),
    recipients.length === 0
      ? `No recorded event told anyone of ${concept}.`
      : `Told of ${concept}, or said that they used it:`,
    ...who,
    ...(forgotten > 0
      ? [`${forgotten} events of this ledger were forgotten on request; what they told cannot be known.`]
      : []),
    ...loggingWords(logging),
  ].join("\n");
}

function loggingWords(logging: Received["logging"]): readonly string[] {
  if (logging.length === 0) {
    return [
      "Query logging was never on, so this ledger cannot know who else was told: it has only what agents logged themselves.",
    ];
  }
  return [
    "Query logging was on at these times; at any other, the ledger cannot know who was told:",
    ...logging.map(
      ({ from, to, dropped }) => `  ${from} to ${to}${dropped > 0 ? `, with ${dropped} events dropped` : ""}`,
    ),
  ];
}
