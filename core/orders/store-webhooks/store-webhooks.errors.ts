import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of store webhooks: the code of each, and the sentence that a caller reads. */
export const storeWebhookErrors = defineErrors({
  webhookDisabled: ['webhook_endpoint_disabled', 'The webhook is disabled. Enable it, then send again.'],
})
