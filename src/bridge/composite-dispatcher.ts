import {
  type FunctionDefinition,
  hasPolicy,
  refusal,
  type ToolDispatcher,
  type ToolPolicyDispatcher,
  type ToolResult,
} from "./dispatcher.ts";

export interface CompositeOptions {
  /** Told once per lost tool. By default a warning on the process, which Node prints on stderr. */
  readonly onCollision?: (name: string, message: string) => void;
  /** `read-only`: only tools that their owner knows to be read-only are offered and can be called. */
  readonly mode?: "all" | "read-only";
}

/**
 * Several dispatchers as one, in order: the first source of a name wins. Resolved once, so make one per turn.
 * A source without policy counts as mutating and unconfirmed.
 */
export class CompositeDispatcher implements ToolPolicyDispatcher {
  readonly #sources: readonly ToolDispatcher[];
  readonly #options: CompositeOptions;
  #resolved:
    | { readonly schema: readonly FunctionDefinition[]; readonly owner: ReadonlyMap<string, ToolDispatcher> }
    | undefined;

  constructor(sources: readonly ToolDispatcher[], options: CompositeOptions = {}) {
    this.#sources = sources;
    this.#options = options;
  }

  toolsSchema(): readonly FunctionDefinition[] {
    return this.#resolve().schema;
  }

  async execute(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const owner = this.#resolve().owner.get(name);
    return owner === undefined ? refusal(`unknown tool: ${name}`) : owner.execute(name, args);
  }

  isMutating(name: string): boolean {
    return mutates(this.#resolve().owner.get(name), name);
  }

  requiresConfirmation(name: string): boolean {
    const owner = this.#resolve().owner.get(name);
    return owner !== undefined && hasPolicy(owner) && owner.requiresConfirmation(name);
  }

  #resolve() {
    this.#resolved ??= this.#merge();
    return this.#resolved;
  }

  #merge() {
    const schema: FunctionDefinition[] = [];
    const owner = new Map<string, ToolDispatcher>();
    for (const source of this.#sources) {
      for (const definition of source.toolsSchema()) {
        const name: unknown = definition.function?.name;
        if (typeof name !== "string" || name === "") continue;
        if (this.#options.mode === "read-only" && mutates(source, name)) continue;
        if (owner.has(name)) {
          this.#collision(name);
          continue;
        }
        owner.set(name, source);
        schema.push(definition);
      }
    }
    return { schema, owner };
  }

  #collision(name: string): void {
    const message = `tool_name_collision: "${name}" is offered by two sources; the first one is used`;
    if (this.#options.onCollision === undefined) process.emitWarning(message);
    else this.#options.onCollision(name, message);
  }
}

function mutates(owner: ToolDispatcher | undefined, name: string): boolean {
  return owner === undefined || !hasPolicy(owner) || owner.isMutating(name);
}
