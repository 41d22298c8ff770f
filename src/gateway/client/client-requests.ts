import type { JsonRpcMessage } from "../../base/json-rpc.ts";
import { isRecord } from "../../base/json-rpc.ts";
import type { Answer } from "../upstream/link.ts";
import { type Params, withMeta } from "../upstream/meta.ts";

/** Hands a message to the client; false when there is no way to reach it now. */
export type Deliver = (message: JsonRpcMessage) => boolean;

interface Open {
  readonly settle: (answer: Answer) => void;
  readonly progress: ((params: Params) => void) | undefined;
}

/** Requests of upstreams to the client that it has not answered. */
export class ClientRequests {
  readonly #open = new Map<string, Open>();
  #next = 0;

  /** `progress` gets the client's progress, with the token that the upstream chose. */
  send(
    method: string,
    params: Params | undefined,
    deliver: Deliver,
    progress: (params: Params) => void,
  ): { readonly answer: Promise<Answer>; cancel(reason: unknown): void } {
    const id = `gateway-${this.#next++}`;
    const meta = isRecord(params?._meta) ? params._meta : {};
    const token = meta.progressToken;
    const sent = params !== undefined && token !== undefined ? withMeta(params, { progressToken: id }) : params;
    const answer = new Promise<Answer>((resolve) => {
      const settle = (one: Answer) => {
        this.#open.delete(id);
        resolve(one);
      };
      const back = token === undefined ? undefined : (one: Params) => progress({ ...one, progressToken: token });
      this.#open.set(id, { settle, progress: back });
    });
    const reached = deliver({ jsonrpc: "2.0", id, method, ...(sent === undefined ? {} : { params: sent }) });
    if (!reached) {
      this.#settle(id, {
        error: { code: -32000, message: `the client has no open stream on which ${method} can be sent` },
      });
    }
    return {
      answer,
      cancel: (reason) => {
        if (!this.#open.has(id)) return;
        const why = typeof reason === "string" ? { reason } : {};
        deliver({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, ...why } });
        this.#settle(id, { error: { code: -32000, message: "the request was taken back" } });
      },
    };
  }

  /** The client's answer; answers to no request are dropped. */
  answered(message: JsonRpcMessage): void {
    if (message.error !== undefined) this.#settle(String(message.id), { error: message.error });
    else this.#settle(String(message.id), { result: isRecord(message.result) ? message.result : {} });
  }

  /** True when the token belongs to one of these requests. */
  progressed(params: Params): boolean {
    const open = this.#open.get(String(params.progressToken));
    open?.progress?.(params);
    return open !== undefined;
  }

  close(): void {
    for (const id of [...this.#open.keys()])
      this.#settle(id, { error: { code: -32000, message: "the client is gone" } });
  }

  #settle(id: string, answer: Answer): void {
    this.#open.get(id)?.settle(answer);
  }
}
