import type { Log } from "../../base/log.ts";
import type { SolvedTask } from "../kag-host.ts";

export interface TaskReportOptions {
  /** Root of the interface's own API. */
  readonly url: string;
  readonly key: string;
  readonly sessionId: string;
  readonly log: Log;
}

/** Tells the interface what was solved. It is sent and forgotten: a report that fails is a line in the log, no more. */
export function taskReport({ url, key, sessionId, log }: TaskReportOptions): (task: SolvedTask) => void {
  const address = `${url.replace(/\/+$/, "")}/api/kag/bridge/tasks`;
  let count = 0;
  return ({ question, answer, references, costMs, projectId, namespace }) => {
    const body = {
      task_id: `bridge_${Date.now()}_${++count}`,
      session_id: sessionId,
      project_id: projectId,
      namespace,
      question: question.slice(0, 2_000),
      answer_digest: answer.slice(0, 2_000),
      cost_ms: costMs,
      references: references.slice(0, 20),
    };
    const headers = { "content-type": "application/json", "x-kag-bridge-key": key };
    fetch(address, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(5_000),
    })
      .then((response) => response.body?.cancel())
      .catch((error: unknown) =>
        log("warn", "a task report was not delivered", { reason: String(error).slice(0, 200) }),
      );
  };
}
