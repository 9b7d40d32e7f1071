import type { MessageAdapter } from './kind.ts'

export { type AdapterContext, AdapterError, type Fields } from '../../../plugins/adapter.ts'
export { jsonIn } from '../../../plugins/toolkit/ask.ts'

/** Declares who sends messages. */
export const message = (definition: Omit<MessageAdapter, 'kind' | 'contract'>): MessageAdapter => ({
  kind: 'message',
  contract: 3,
  ...definition,
})
