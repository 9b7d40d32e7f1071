import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

const each = (schemas: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, exactly(schema)]))

/** The same schema, refusing what it does not name in any object. Maps of names to values stay what they are. */
function exactly(schema: TSchema): TSchema {
  const { properties, items, anyOf, allOf, patternProperties } = schema
  return {
    ...schema,
    ...(properties && { properties: each(properties), ...(schema.additionalProperties === undefined && { additionalProperties: false }) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: exactly(items) }),
    ...(anyOf && { anyOf: anyOf.map(exactly) }),
    ...(allOf && {
      allOf: allOf.map((member: TSchema) => ({ ...exactly(member), additionalProperties: true })),
      unevaluatedProperties: false,
    }),
  }
}

const checks = new WeakMap<TSchema, (value: unknown) => string | undefined>()

/** What in a value, as it goes over the wire, is not as the schema says, or is more than it says; undefined where nothing is. */
export function strayIn(schema: TSchema, value: unknown): string | undefined {
  const known = checks.get(schema) ?? compile(schema)
  checks.set(schema, known)
  return known(value)
}

function compile(schema: TSchema) {
  const check = TypeCompiler.Compile(exactly(schema))
  return (value: unknown) => {
    const sent: unknown = JSON.parse(JSON.stringify(value))
    if (check.Check(sent)) return undefined
    const problem = check.Errors(sent).First()
    return `${problem?.path || '/'}: ${problem?.message} (${JSON.stringify(problem?.value)?.slice(0, 200)})`
  }
}
