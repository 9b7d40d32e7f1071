import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Says that a conversation has its maximum of messages, and what to do. A queue shows it as the problem of its prompts. */
export const describeFullConversation = ({ messagesMax }: Values<'messagesMax'>) =>
  `A conversation has at most ${messagesMax} messages. Delete some, or start another conversation.`

/** Errors of chat: the code of each, and the sentence that a caller reads. */
export const chatErrors = defineErrors({
  tooManyConversations: [
    'limit_reached',
    ({ conversationsMax }: Values<'conversationsMax'>) =>
      `You may have ${conversationsMax} conversations in a store. Delete one that you no longer need.`,
  ],
  answerUnderWay: ['conflict', 'An answer is being generated. Wait for it, or cancel it.'],
  tooManyMessages: ['limit_reached', describeFullConversation],
  tooManyStreams: [
    'rate_limited',
    ({ streamsMax }: Values<'streamsMax'>) => `At most ${streamsMax} answers can be streamed at once. Close one of them.`,
  ],
  tooManyAnswers: [
    'limit_reached',
    ({ runningMax }: Values<'runningMax'>) => `At most ${runningMax} answers are generated for you at once. Wait for one of them.`,
  ],
  queueFull: [
    'limit_reached',
    ({ queueMax }: Values<'queueMax'>) => `At most ${queueMax} prompts wait in a conversation. Remove one, or wait for an answer.`,
  ],
  queueIncomplete: ['invalid_request', 'List the ids of all waiting prompts, and no other.'],
  queueEmpty: ['conflict', 'The queue of this conversation is empty.'],
  tooManyRules: [
    'limit_reached',
    ({ rulesMax }: Values<'rulesMax'>) => `There may be ${rulesMax} rules. Delete one that you no longer need.`,
  ],
  conversationBusy: ['conflict', 'An answer is being generated in this conversation. Wait for it, cancel it, or add to the queue.'],
  textOrRetry: ['invalid_request', 'Send either text or retryOf.'],
})
