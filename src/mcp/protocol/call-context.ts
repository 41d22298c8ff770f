import type { CallContext } from "../surface.ts";
import type { ProtocolRequest, Serving } from "./request.ts";

/** What a surface's functions are given for one request. Progress goes out only for a token, and never after the end. */
export function callContext(serving: Serving, asked: ProtocolRequest): CallContext {
  const { source, ledger } = serving;
  const { caller, signal, progressToken, sample } = asked;
  const context: CallContext = { source, ledger, caller, signal, ...(sample === undefined ? {} : { sample }) };
  if (progressToken === undefined) return context;
  return {
    ...context,
    progress: (done, total, message) => {
      if (signal.aborted) return;
      void asked.notify("notifications/progress", {
        progressToken,
        progress: done,
        total,
        ...(message === undefined ? {} : { message }),
      });
    },
  };
}
