import { type Diagnostic, DiagnosticRefreshRequest } from "vscode-languageserver";
import type { Problem } from "../../core/concept/problem.ts";
import type { DocumentEvent, OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { uriKey } from "../protocol/uris.ts";
import type { Checks } from "./checks.ts";
import { problemDiagnostic } from "./to-diagnostic.ts";

/** How often open files that the client never edited are compared with the disk, in milliseconds. */
const diskInterval = 1000;

/**
 * Tells the client what was found: pushed until it first asks, then only when it asks. Quiet time first, the newest
 * text wins, and what has been told is taken back when a document closes.
 */
export class Diagnostics {
  readonly #session: Session;
  readonly #checks: Checks;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  /** The last set pushed for each address, as JSON. */
  readonly #pushed = new Map<string, string>();
  /** The settings that each document was last compared under. */
  readonly #settings = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #pulled = false;
  #disposed = false;

  constructor(session: Session, checks: Checks) {
    this.#session = session;
    this.#checks = checks;
  }

  start(): void {
    this.#session.documents.onEvent((event) => this.#follow(event));
    this.#timer = setInterval(() => this.#comparePassive(), diskInterval);
    this.#timer.unref();
    this.refresh();
  }

  dispose(): void {
    this.#disposed = true;
    clearInterval(this.#timer);
    for (const waiting of this.#waiting.values()) clearTimeout(waiting);
    this.#waiting.clear();
  }

  /** The vocabulary or the settings changed: every open document is checked again. */
  refresh(): void {
    if (this.#pulled) {
      const { client, connection } = this.#session;
      if (client.refreshDiagnostics) run(connection.sendRequest(DiagnosticRefreshRequest.type));
      return;
    }
    for (const document of this.#session.documents.all()) this.#schedule(document, 0);
    run(this.#publishClosedFiles());
  }

  /** The client asks by itself from now on; what was pushed is taken back, so that nothing is shown twice. */
  async pulled(): Promise<void> {
    if (this.#pulled) return;
    const { diagnostics } = await this.#session.settingsFor("");
    if (diagnostics.mode === "push") return;
    this.#pulled = true;
    for (const uri of [...this.#pushed.keys()]) this.#push(uri, []);
  }

  #follow(event: DocumentEvent): void {
    if (event.kind === "closed") {
      clearTimeout(this.#waiting.get(uriKey(event.uri)));
      this.#waiting.delete(uriKey(event.uri));
      this.#checks.forget(event.uri);
      this.#settings.delete(event.uri);
      this.#push(event.uri, []);
      if (this.#session.vocabularyFile(event.uri) !== undefined) run(this.#publishClosedFiles());
      return;
    }
    if (!this.#pulled)
      run(
        this.#session
          .settingsFor(event.document.uri)
          .then((it) => this.#schedule(event.document, event.kind === "opened" ? 0 : it.diagnostics.debounce)),
      );
  }

  #schedule(document: OpenDocument, delay: number): void {
    const key = uriKey(document.uri);
    clearTimeout(this.#waiting.get(key));
    if (this.#disposed) return;
    const waiting = setTimeout(() => {
      this.#waiting.delete(key);
      run(this.#publish(document.uri));
    }, delay);
    this.#waiting.set(key, waiting);
  }

  async #publish(uri: string): Promise<void> {
    const settings = await this.#session.settingsFor(uri);
    if (settings.diagnostics.mode === "pull") return;
    const checked = await this.#checks.of(uri);
    const open = this.#session.documents.get(uri);
    if (checked === undefined || open === undefined || this.#pulled) return;
    this.#push(open.uri, checked.diagnostics, checked.document.version);
  }

  /** Problems of vocabulary files that are not open are shown too: the editor is where they get mended. */
  async #publishClosedFiles(): Promise<void> {
    const { view } = await this.#session.current();
    if (this.#pulled) return;
    const byUri = new Map<string, Problem[]>();
    for (const problem of view.problems) {
      const uri = this.#session.vocabularyUri(problem.file);
      if (uri === undefined || this.#session.documents.get(uri) !== undefined) continue;
      byUri.set(uri, [...(byUri.get(uri) ?? []), problem]);
    }
    for (const uri of this.#pushed.keys()) {
      const open = this.#session.documents.get(uri) !== undefined;
      if (!open && !byUri.has(uri)) this.#push(uri, []);
    }
    for (const [uri, problems] of byUri) {
      const document = await this.#session.documentOrFile(uri);
      const isOpen = this.#session.documents.get(uri) !== undefined;
      if (document === undefined || isOpen || this.#pulled) continue;
      this.#push(
        uri,
        problems.slice(0, 100).map((it) => problemDiagnostic(document, it)),
      );
    }
  }

  #push(uri: string, diagnostics: readonly Diagnostic[], version?: number): void {
    const serialized = JSON.stringify([version ?? null, diagnostics]);
    if (this.#disposed || this.#pushed.get(uri) === serialized) return;
    if (diagnostics.length === 0 && version === undefined) {
      if (!this.#pushed.delete(uri)) return;
    } else this.#pushed.set(uri, serialized);
    run(
      this.#session.connection.sendDiagnostics({
        uri,
        diagnostics: [...diagnostics],
        ...(version === undefined ? {} : { version }),
      }),
    );
  }

  /** What no client tells of: a file or a project file that another program wrote. */
  #comparePassive(): void {
    for (const document of this.#session.documents.all()) run(this.#compare(document));
  }

  async #compare(document: OpenDocument): Promise<void> {
    const settings = JSON.stringify(await this.#session.settingsFor(document.uri));
    const before = this.#settings.get(document.uri);
    this.#settings.set(document.uri, settings);
    const current = document.edited ? document : await this.#session.document(document.uri);
    const isNew = (before !== undefined && before !== settings) || (current !== undefined && current !== document);
    if (isNew && !this.#pulled) await this.#publish(document.uri);
  }
}

/** A client that went away is not news: the transport says so. */
function run(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
