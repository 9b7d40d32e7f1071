import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { AdapterError } from '../adapter.ts'

const EVENT_MAX = 8 * 1024 * 1024

/**
 * The server-sent events of a body as they come: `{event?, data, id?}`, comments left out. What follows the last empty line was no whole
 * event, and is not given. Throws `unavailable` where one is longer than anybody writes.
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
    if (isTooLong) throw new AdapterError('unavailable', 'The other side wrote an event without an end.')
  }
}
