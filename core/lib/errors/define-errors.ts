import type { ErrorCode } from './codes.ts'
import { DomainError, type DomainErrorOptions } from './domain-error.ts'

/** Values that a sentence names. */
export type Values<Name extends string> = Readonly<Record<Name, string | number>>

type Sentence = string | ((values: never) => string)

type Builder<S> = S extends (values: infer V) => string
  ? (values: V, options?: DomainErrorOptions) => DomainError
  : (options?: DomainErrorOptions) => DomainError

/**
 * Defines the errors of a feature, each a code and the sentence that a caller reads. A sentence says what to do next. Returns a builder for
 * each: `throw orderErrors.tooManyParts({ partsMax: 20 })`.
 */
export function defineErrors<const T extends Readonly<Record<string, readonly [ErrorCode, Sentence]>>>(
  table: T,
): { readonly [K in keyof T]: Builder<T[K][1]> } {
  const builders = Object.entries(table).map(([name, [code, sentence]]) => {
    if (typeof sentence === 'string') return [name, (options?: DomainErrorOptions) => new DomainError(code, sentence, options)]
    return [name, (values: never, options?: DomainErrorOptions) => new DomainError(code, sentence(values), options)]
  })
  return Object.fromEntries(builders)
}
