import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of tools: the code of each, and the sentence that a caller reads. */
export const toolErrors = defineErrors({
  argumentsUnreadable: ['invalid_request', 'The arguments of the call are not valid JSON. Send a JSON object.'],
  toolReadOnly: ['conflict', 'This tool can no longer apply changes. Ask the assistant again.'],
  proposalOutdated: ['conflict', 'It was changed after this was proposed. Nothing was done; ask the assistant again.'],
  toolUnreachable: [
    'conflict',
    'The MCP server cannot be reached now, or no longer has this tool. Nothing was done; ask the assistant again.',
  ],
  proposalDecided: ['conflict', ({ state }: Values<'state'>) => `This proposal was ${state} already.`],
  argumentsInvalid: ['invalid_request', 'The arguments do not fit the tool; see details.'],
})
