import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of tags: the code of each, and the sentence that a caller reads. */
export const tagErrors = defineErrors({
  tooManyTags: ['limit_reached', ({ max }: Values<'max'>) => `An order has at most ${max} tags. Remove one first.`],
  tooManyStoreTags: ['limit_reached', ({ max }: Values<'max'>) => `A store has at most ${max} different tags. Use one that there is.`],
})
