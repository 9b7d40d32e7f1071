import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of webhooks: the code of each, and the sentence that a caller reads. */
export const webhookErrors = defineErrors({
  endpointDisabled: ['webhook_endpoint_disabled', 'The endpoint is disabled. Enable it, then send the delivery again.'],
  tooManyWebhooks: [
    'limit_reached',
    ({ most }: Values<'most'>) => `There are already ${most} webhooks, which is the maximum. Remove one first.`,
  ],
  urlInvalid: ['invalid_request', 'This is not a URL. Enter a complete one: https://…'],
  urlRefused: ['webhook_url_refused', ({ refusal }: Values<'refusal'>) => `${refusal} Give an https address on the public internet.`],
  allEventsAlone: ['invalid_request', '"*" means all events. Send it alone.'],
  eventOfOtherAddress: [
    'invalid_request',
    ({ event, other, address }: Values<'event' | 'other' | 'address'>) =>
      `"${event}" is an event of a ${other}: subscribe to it with ${address}.`,
  ],
  eventUnknown: [
    'invalid_request',
    ({ event, supported, topics }: Values<'event' | 'supported' | 'topics'>) =>
      `"${event}" is not supported. Supported are ${supported}${topics}, or "*" alone for all.`,
  ],
})
