import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { AdapterError } from '../adapter.ts'

const EVENT_MAX = 8 * 1024 * 1024

/**
 * Yields the server-sent events of a body as they arrive: `{event?, data, id?}`, without comments. An incomplete event at the end is
 * dropped. Throws `unavailable` for an event longer than 8 MiB.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: EVENT_MAX,
    onEvent: (event) => events.push(event),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* events.splice(0)
    if (isTooLong) throw new AdapterError('unavailable', 'The platform sent an event that is too long.')
  }
}
