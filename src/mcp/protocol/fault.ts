export const faultCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** The 2025 revisions; bindings send -32602 where the revision says so. */
  resourceNotFound: -32002,
} as const;

/** A JSON-RPC error on purpose: malformed requests, unknown methods, tools, prompts and resources. Never a refusal. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: number;
  readonly data?: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}
