import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of saved filters: the code of each, and the sentence that a caller reads. */
export const savedFilterErrors = defineErrors({
  tooManyOwn: ['limit_reached', ({ max }: Values<'max'>) => `You have ${max} saved filters in this store. Delete one first.`],
  tooManyShared: ['limit_reached', ({ max }: Values<'max'>) => `The store has ${max} shared filters. Delete one first.`],
  tooManyParameters: ['invalid_request', ({ max }: Values<'max'>) => `A filter has at most ${max} parameters.`],
  notYours: ['forbidden', 'Only the user who saved this filter, and admins of the store, can change it.'],
})
