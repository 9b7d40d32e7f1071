import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of live streams: the code of each, and the sentence that a caller reads. */
export const liveErrors = defineErrors({
  tooManyStreams: ['rate_limited', ({ streamsMax }: Values<'streamsMax'>) => `You have ${streamsMax} live streams open. Close one first.`],
  streamsFull: ['unavailable', 'No more live streams can be opened here now. Try again in a few seconds, and poll until then.'],
  accessChanged: ['forbidden', 'Your rights in this store have changed. Open the live stream again.'],
})
