import type { ErrorCode } from '../../lib/errors/codes.ts'
import type { Node } from './document-node.ts'

/** Texts and examples that complete the document. They know the business; this module does not. */
export interface Wording {
  /** Tags in the order of the reference page, with their descriptions. */
  readonly tags: Readonly<Record<string, string>>
  /**
   * Returns the meaning of an enum value; undefined if none is written. `place` is the schema or operation and its properties, such as
   * `Refund.status`.
   */
  meaningOf(value: string, among: readonly string[], place: string): string | undefined
  /** Returns an example of a field, or of a whole schema or body by its places: the name of the schema or the operation, and the property. */
  exampleOf(name: string, schema: Node, places: readonly string[]): unknown
  /** Returns the codes of 409 and 422 that an operation may respond with. */
  codesOf(operationId: string, operation: Node): readonly ErrorCode[]
}

/** Wording without any texts. */
export const emptyWording: Wording = { tags: {}, meaningOf: () => undefined, exampleOf: () => undefined, codesOf: () => [] }
