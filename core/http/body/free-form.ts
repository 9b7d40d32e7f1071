import { Kind, Type as T, type TUnsafe, TypeRegistry } from '@sinclair/typebox'

/** Limits of a free-form object. */
export interface FreeFormLimits {
  readonly names: number
  readonly nameLength: number
  /** Maximum bytes of the whole object as JSON. */
  readonly bytes: number
}

const KIND = 'FreeForm'
type FreeFormSchema = Record<string, unknown> & { readonly 'x-limits': FreeFormLimits }

/** Builds the schema of an object with the caller's own names and values, within limits. They are stored unchanged. */
export const freeForm = (limits: FreeFormLimits, options: { description?: string } = {}): TUnsafe<Record<string, unknown>> =>
  T.Unsafe({
    [Kind]: KIND,
    type: 'object',
    additionalProperties: true,
    maxProperties: limits.names,
    'x-limits': limits,
    ...options,
    description: [options.description, problemOf(limits)].filter(Boolean).join('; '),
  })

/** Returns the error message for an invalid free-form object; undefined for any other schema. */
export const freeFormProblem = (schema: object): string | undefined =>
  (schema as { [Kind]?: string })[Kind] === KIND ? `Expected an object: ${problemOf((schema as FreeFormSchema)['x-limits'])}.` : undefined

const problemOf = ({ names, nameLength, bytes }: FreeFormLimits) =>
  `at most ${names} names of up to ${nameLength} characters, and ${bytes / 1024} KiB as JSON`

TypeRegistry.Set<FreeFormSchema>(KIND, ({ 'x-limits': limits }, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  if (names.length > limits.names || names.some((name) => name.length > limits.nameLength || name.includes('\0'))) return false
  return Buffer.byteLength(JSON.stringify(value)) <= limits.bytes
})
