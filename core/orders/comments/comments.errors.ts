import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of comments: the code of each, and the sentence that a caller reads. */
export const commentErrors = defineErrors({
  tooManyComments: ['limit_reached', ({ max }: Values<'max'>) => `An order has at most ${max} comments. Delete one first.`],
  notMember: ['invalid_request', 'This is no member of the store who may read orders. Mention others.'],
  notYours: ['forbidden', 'Only the user who wrote this comment, and admins of the store, can delete it.'],
})
