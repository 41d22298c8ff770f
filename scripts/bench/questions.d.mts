export function distinctQuestions(): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
