import { type FieldPath, invalidField } from '../../lib/errors/domain-error.ts'

/** Builds the error for a product that the store does not have. */
export const unknownProduct = (field: FieldPath) =>
  invalidField(field, 'The store has no such product. GET /v1/products lists its products.')

/** Builds the error for a variant that its product does not have. */
export const unknownVariant = (field: FieldPath) =>
  invalidField(field, 'The product has no such variant. GET /v1/products/{id} lists its variants.')

/** Builds the error for a product with variants of which none was named. */
export const missingVariant = (field: FieldPath) =>
  invalidField(field, 'The product has variants. Name one: GET /v1/products/{id} lists them.')
