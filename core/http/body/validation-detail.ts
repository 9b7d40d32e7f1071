import type { TSchema } from '@sinclair/typebox'
import type { ValueError } from '@sinclair/typebox/errors'
import type { Detail } from '../errors/errors.ts'
import { freeFormProblem } from './free-form.ts'

/** As which Elysia takes a number of a query, beside the number. */
const COERCED = ['numeric', 'integer']

/** What is wrong, so that it can be put right: of a choice TypeBox says only that a value is none of it. `place`: where the value came from. */
export function detailOf(place: string, { path, schema, message, errors }: ValueError): Detail {
  const variants: readonly TSchema[] = schema.anyOf ?? []
  const [meant, ...others] = variants.filter((variant) => variant.type !== 'null' && !COERCED.includes(variant.format))
  const inside = meant && others.length === 0 ? errors[variants.indexOf(meant)]?.First() : undefined
  if (inside) return detailOf(place, inside)
  const told = isOfValues(variants) ? `Expected one of: ${variants.map(constantOf).join(', ')}` : message
  return { path: `${place}${path}`, message: freeFormProblem(schema) ?? told }
}

const constantOf = (variant: TSchema): unknown => (variant.type === 'null' ? null : variant.const)
const isOfValues = (variants: readonly TSchema[]) => variants.length > 0 && variants.every((variant) => constantOf(variant) !== undefined)
