import type { Meanings } from './group.ts'

/** Meanings of the values of languages, connections, webhooks and the server. */
export const platform: readonly Meanings[] = [
  {
    ar: 'Texts are in Arabic and run from right to left.',
    fr: 'Texts are in French, with spaces between thousands.',
    en: 'Texts are in English, with commas between thousands.',
  },
  {
    store: 'Belongs to a single store, which pays for it.',
    platform: 'Set up once by an administrator for all stores.',
  },
  {
    new: 'No version of it was approved before. Read its code.',
    code: 'Its program differs from the approved version. Read what is different.',
    hosts: 'It asks to reach further addresses than were approved.',
  },
  {
    pending: 'Waits for its turn or for the next try.',
    delivered: 'The receiver answered with a 2xx status.',
    failed: 'Every try was used up. Repair the receiver, then redeliver.',
    cancelled: 'Dropped before delivery, because its endpoint was disabled or deleted.',
  },
  {
    by_owner: 'A user set `enabled` to false.',
    gone: 'The receiver answered 410, which asks for silence.',
    failing: 'No delivery succeeded for five days. Repair the receiver, then enable it.',
  },
  {
    text: 'One line of characters, typed by the user.',
    number: 'Digits, with a decimal point if needed.',
    boolean: 'A switch that the user turns on or off.',
  },
  {
    disabled: 'A user switched it off; no calls are made.',
    needs_attention: 'Something waits for a decision or a new sign-in; the details say what.',
    untested: 'No test has shown whether the keys work. Run one.',
    connected: 'The latest test succeeded, so the keys and the address work.',
    failed: 'The latest test did not succeed. Check the keys and the address.',
  },
  {
    ready: 'Accepts requests; a load balancer may send traffic.',
    starting: 'Not finished with migrations and caches; send no traffic yet.',
    draining: 'Stops after its open requests; send no more traffic.',
    degraded: 'The database cannot be reached; most requests fail with `unavailable`.',
  },
  { true: 'Answers with a redirect, for a browser.', false: 'Answers with the address as JSON, for a program.' },
  { GET: 'Fetches without a body; use it to read.', POST: 'Sends `body` to the host.' },
  {
    labels: 'Statuses, types and the like are words of the language, for people.',
    codes: 'Statuses, types and the like stay as in the API, for programs.',
  },
  { utf8: '`body` is plain text.', base64: '`body` holds binary data in characters; decode it first.' },
]
