import { Argument, type Command } from "commander";

/** What `iaip-dsl kag` takes beside the settings of a vocabulary. */
export interface KagArgs {
  /** `stdio`, `http` or `sse`; `KAG_BRIDGE_TRANSPORT`, else stdio, when absent. */
  readonly transport?: string;
  readonly host?: string;
  readonly port?: string;
  readonly enabledTools?: string;
  readonly namespace?: string;
  readonly projectId?: string;
  readonly llm?: string;
  readonly llmModel?: string;
}

/** Flags keep the names that hosts of these contracts already have. */
export function addKagFlags(command: Command): Command {
  return command
    .description("Host the kag_* tools of OPENKG WebUI over the vocabulary, on stdio or HTTP.")
    .addArgument(new Argument("[mode]", "as other hosts are called; it changes nothing").choices(["mcp-server"]))
    .option("--transport <kind>", "stdio, http or sse ($KAG_BRIDGE_TRANSPORT; stdio)")
    .option("--host <host>", "HTTP: address to listen on ($KAG_BRIDGE_HTTP_HOST; 127.0.0.1)")
    .option("--port <port>", "HTTP: port ($KAG_BRIDGE_HTTP_PORT; 8890)")
    .option("--enabled-tools <names>", "all, or some of kag-solve, kag-schema, kag-reason, kag-status", "all")
    .option("--namespace <name>", "namespace of the type names; from the vocabulary's name when absent")
    .option("--project-id <id>", "the project this host is bound to; the vocabulary's name when absent")
    .option(
      "--llm <url>",
      "OpenAI-compatible endpoint that composes answers from the passages ($IAIP_DSL_LLM_KEY is its key)",
    )
    .option("--llm-model <name>", "the model to ask for at --llm");
}

/** The flags as commander gives them. */
export function kagArgs(flags: Readonly<Record<string, unknown>>): KagArgs {
  const names = ["transport", "host", "port", "enabledTools", "namespace", "projectId", "llm", "llmModel"] as const;
  const given = names.flatMap((name) => (typeof flags[name] === "string" ? [[name, flags[name]] as const] : []));
  return Object.fromEntries(given) as KagArgs;
}
