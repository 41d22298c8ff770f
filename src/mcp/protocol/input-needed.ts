import type { SampleRequest } from "../request-context.ts";

/**
 * Thrown through a tool where the revision has no way to ask during a call: the binding answers `input_required`, the
 * client asks its model and calls again, and the tool runs from the start with the model's text at hand.
 */
export class InputNeeded extends Error {
  override readonly name = "InputNeeded";
  readonly request: SampleRequest;
  /** What the model wrote in earlier rounds of this call, in order. */
  readonly earlier: readonly string[];

  constructor(request: SampleRequest, earlier: readonly string[]) {
    super("the client's model is asked first");
    this.request = request;
    this.earlier = earlier;
  }
}
