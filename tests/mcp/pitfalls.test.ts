import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** What other MCP servers and SDKs were seen to get wrong, and the test here that would notice. */
const pitfalls: readonly (readonly [what: string, file: string, test: string])[] = [
  [
    "a client that dies breaks the server's pipe",
    "mcp/stdio-process",
    "ends quietly when both its output streams break with 50 calls under way",
  ],
  [
    "the end of stdin is not noticed while timers run",
    "mcp/stdio-process",
    "ends within a second of the end of stdin, timers or not",
  ],
  [
    "an orphan spins on a broken stderr",
    "mcp/stdio-process",
    "ends quietly when both its output streams break with 50 calls under way",
  ],
  ["hosts end servers by signal, in the middle of a write", "mcp/stdio-process", "with every event it told of on disk"],
  ["a launcher leaves its child behind", "mcp/stdio-process", "dies with the launcher that started it"],
  [
    "something else prints on stdout",
    "mcp/stdio-process",
    "prints nothing but JSON-RPC on stdout, whoever else prints there",
  ],
  [
    "a probe starts a second process on the same folder",
    "mcp/stdio-process",
    "answers two processes on one folder at once, as hosts probe",
  ],
  ["a connection opens in one era and goes on in the other", "mcp/stdio", "stays usable after %s"],
  [
    "a restart leaves clients with a session nobody knows",
    "mcp/http-pitfalls",
    "tell a client of a server that was started anew to open another; stateless clients notice nothing",
  ],
  ["sessions are never freed", "mcp/http-pitfalls", "under sessions that nobody closes, while one in use is kept"],
  [
    "clients see what belongs to another",
    "mcp/http-pitfalls",
    "belong to one client: two calls at once see their own progress alone",
  ],
  [
    "schemas are compiled for each request and leak",
    "mcp/http-pitfalls",
    "under calls in either era, and each is as quick as the first",
  ],
  [
    "a server instance is used for two requests",
    "mcp/http-pitfalls",
    "belong to one client: two calls at once see their own progress alone",
  ],
  ["listens pile up", "mcp/http-pitfalls", "under 200 listens that come and go"],
  ["idle streams are cut on the way", "mcp/http-pitfalls", "say every so often that they are alive, on every door"],
  [
    "a stream that was lost unnoticed blocks its successor",
    "mcp/http-pitfalls",
    "give a client its stream again after a socket that went away unnoticed",
  ],
  ["one session replays another's events", "mcp/http-pitfalls", "never replay what another session was sent"],
  [
    "remembered events grow without bound",
    "mcp/http-pitfalls",
    "remember a bounded number of events, and say so of one that is forgotten",
  ],
  ["a web page reaches the server by DNS rebinding", "mcp/http-guards", "are checked on %s before anything else"],
  ["a large or broken body is answered with HTML and a stack", "mcp/http-guards", "up to 4 MiB on %s, and JSON"],
  ["a line over 10 MiB ends the process without a word", "mcp/stdio", "refuses a line of 11 MiB by its id and goes on"],
  ["answers are longer than hosts read", "surface", "every concept is told within 8,000 bytes at every depth"],
  [
    "a client that accepts one form is turned away",
    "mcp/http-doors",
    "says what it can send to a client that accepts neither form, and serves one that accepts either",
  ],
  ["arguments that are null end in a dump", "mcp/stdio", "takes arguments that are %s"],
  [
    "models send numbers and objects as text",
    "surface",
    "numbers as text, arguments as JSON text and enums in another case are read",
  ],
  [
    "a misspelled field is dropped without a word",
    "surface",
    "an unknown key is ignored, named, and the nearest known one offered",
  ],
  [
    "a schema refers to elsewhere, and clients cannot follow",
    "surface",
    "never close an output object, and never refer elsewhere",
  ],
  [
    "a schema is lost on the way to the client",
    "mcp/stdio",
    "keeps schemas to the letter and adds nothing to an answer",
  ],
  [
    "another zod in the host's packages breaks the lists",
    "process",
    "runs from its folder alone, with no package beside it",
  ],
  ["structured content is missing or against its schema", "mcp/clients", "SDK v1 over %s"],
  ["a cancelled call runs on", "mcp/http-pitfalls", "stops its call, in either era and with sessions too"],
  ["progress comes unasked", "mcp/stdio", "sends progress only for a token, and none after the result"],
  ["a notification comes after its result", "mcp/stdio", "sends progress only for a token, and none after the result"],
  [
    "a change is announced to nobody, or promised where it cannot be",
    "mcp/http-doors",
    "declares changes only where it can deliver them",
  ],
  [
    "a template's value is decoded twice, or climbs",
    "mcp/stdio",
    "decodes a template's value once and never lets it climb",
  ],
  ["an unknown tool counts as an answer", "mcp/http-doors", "%s lists and calls, reads and prompts, in the same words"],
  [
    "garbage, batches and split characters break the framing",
    "mcp/stdio",
    "survives garbage, batches, null ids, CRLF and split characters",
  ],
  ["a long address takes a minute to match", "mcp/stdio", "decodes a template's value once and never lets it climb"],
  [
    "writers at the same time lose each other's events",
    "ledger/sqlite-file",
    "loses nothing of two processes that write at once",
  ],
  [
    "a peer that drops leaves an unhandled rejection",
    "mcp/http-pitfalls",
    "at random moments for a minute leaves no rejection behind",
  ],
  [
    "whoever skips the handshake skips the check of its token",
    "mcp/http-auth",
    "are asked of every request, from this machine too, and probes stay open",
  ],
];

it.each(pitfalls)("%s: a test would notice", (_what, file, test) => {
  const text = readFileSync(join(import.meta.dirname, "..", `${file}.test.ts`), "utf8");
  expect(text).toContain(test);
});
