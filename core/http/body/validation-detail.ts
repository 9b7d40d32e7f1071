import type { TSchema } from '@sinclair/typebox'
import type { ValueError } from '@sinclair/typebox/errors'
import type { ErrorDetail } from '../errors/errors.ts'
import { freeFormProblem } from './free-form.ts'

/** Formats of the string alternatives that Elysia adds to numbers in a query. */
const COERCED = ['numeric', 'integer']

/**
 * Describes a validation problem. Reports the expected values of a union, which TypeBox does not. `place`: JSON pointer of the input part.
 */
export function detailOf(place: string, { path, schema, message, errors }: ValueError): ErrorDetail {
  const variants: readonly TSchema[] = schema.anyOf ?? []
  const [meant, ...others] = variants.filter((variant) => variant.type !== 'null' && !COERCED.includes(variant.format))
  const inside = meant && others.length === 0 ? errors[variants.indexOf(meant)]?.First() : undefined
  if (inside) return detailOf(place, inside)
  const expected = isOfValues(variants) ? `Expected one of: ${variants.map(constantOf).join(', ')}` : message
  return { path: `${place}${path}`, message: freeFormProblem(schema) ?? expected }
}

const constantOf = (variant: TSchema): unknown => (variant.type === 'null' ? null : variant.const)
const isOfValues = (variants: readonly TSchema[]) => variants.length > 0 && variants.every((variant) => constantOf(variant) !== undefined)
