import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of preferences: the code of each, and the sentence that a caller reads. */
export const preferenceErrors = defineErrors({
  tooManyPages: ['limit_reached', ({ max }: Values<'max'>) => `Columns are kept for ${max} pages. Forget those of another page with null.`],
})
