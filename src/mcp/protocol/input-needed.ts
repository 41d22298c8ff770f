import type { SampleRequest } from "../surface.ts";

/**
 * Thrown through a tool where the revision has no way to ask during a call: the binding answers `input_required`, the
 * client asks its model and calls again, and the tool runs from the start with the model's words at hand.
 */
export class InputNeeded extends Error {
  override readonly name = "InputNeeded";
  readonly request: SampleRequest;
  /** What earlier rounds of this call were told, in order. */
  readonly told: readonly string[];

  constructor(request: SampleRequest, told: readonly string[]) {
    super("the client's model is asked first");
    this.request = request;
    this.told = told;
  }
}
