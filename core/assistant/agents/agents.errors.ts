import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of agents: the code of each, and the sentence that a caller reads. */
export const agentErrors = defineErrors({
  argumentsInvalid: ['invalid_request', 'The arguments do not fit this tool of the agent; see details.'],
})
