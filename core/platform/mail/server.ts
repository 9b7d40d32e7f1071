import type { SMTPTransportOptions } from 'nodemailer'
import type { Config } from '../../config.ts'
import { redactorOf, toStorableText } from '../../lib/redact.ts'
import { isEmailAddress, parseSender, type Sender } from './address.ts'
import type { RenderedMail } from './render.ts'

/** Mail as it is sent. */
export interface OutgoingMail extends RenderedMail {
  readonly id: string
  readonly to: string
  readonly at: Date
}

/** Result of an attempt. `refused` is final; `delayed` concerns this mail; `away` concerns the server. */
export type DeliveryResult = { readonly kind: 'sent' } | { readonly kind: 'refused' | 'delayed' | 'away'; readonly error: string }

/** Server that mails are sent through. */
export interface MailServer {
  send(letter: OutgoingMail): Promise<DeliveryResult>
  /** Checks the connection and the account. Returns null if they work, otherwise the error. */
  verify(): Promise<string | null>
}

const CONNECT_MS = 10_000
/** Milliseconds without any response. */
const SILENCE_MS = 20_000
const ATTEMPT_MS = 60_000
const ERROR_MAX = 300
const ALLOWED = 'smtp://user:password@host:port or smtps://…, with ?tls=optional where a password may go to a server without TLS'

/** Returns the message id. It is the same for each attempt, so that a mail that arrives twice is recognized. */
const messageIdOf = (id: string, { address }: Sender) => `<${id}@${address.split('@').at(-1)}>`

/** Builds the message for nodemailer. */
export const composeMessage = ({ id, to, at, subject, text, html }: OutgoingMail, from: Sender) => ({
  from,
  to: { name: '', address: to },
  envelope: { from: from.address, to: [to] },
  subject,
  text,
  html,
  messageId: messageIdOf(id, from),
  date: at,
  // Suppresses automatic replies (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Parses `SMTP_URL`. Throws an error that does not reveal its value. */
export function parseSmtpUrl(url: string): SMTPTransportOptions & { readonly host: string } {
  const parsed = URL.parse(url)
  const tls = parsed?.searchParams.get('tls') ?? 'required'
  const known = parsed && [...parsed.searchParams.keys()].every((name) => name === 'tls') && ['required', 'optional'].includes(tls)
  if (!parsed || !known || !/^smtps?:$/.test(parsed.protocol) || !parsed.hostname || !/^\/?$/.test(parsed.pathname))
    throw new Error(`SMTP_URL must be ${ALLOWED}.`)
  const [user, pass] = [parsed.username, parsed.password].map(decodePart)
  const secure = parsed.protocol === 'smtps:'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(parsed.port) || (secure ? 465 : 587),
    secure,
    // Requires TLS for passwords, except on this machine.
    requireTLS: !secure && Boolean(user) && tls === 'required' && !isThisMachine(host),
    ...(user && { auth: { user, pass: pass ?? '' } }),
  }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`SMTP_URL must be ${ALLOWED}.`)
  }
}

const isThisMachine = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Returns the sender: `MAIL_FROM`, the account at the mail server if it is an address, or no-reply at the public host. */
export function senderOf({ mailFrom, smtpUrl, publicUrl }: Pick<Config, 'mailFrom' | 'smtpUrl' | 'publicUrl'>): Sender {
  if (mailFrom) {
    const sender = parseSender(mailFrom)
    if (!sender) throw new Error('MAIL_FROM must be an address, or Name <address>.')
    return sender
  }
  const user = smtpUrl && parseSmtpUrl(smtpUrl).auth?.user
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || 'localhost'
  const address = user && isEmailAddress(user) ? user : `no-reply@${isEmailAddress(`no-reply@${host}`) ? host : 'localhost'}`
  return { name: 'Serai', address }
}

/** Opens a mail server. Uses one connection per mail and removes the password from errors. */
export function openMailServer(url: string, from: Sender): MailServer {
  const server = parseSmtpUrl(url)
  const timeouts = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, dnsTimeout: CONNECT_MS, socketTimeout: SILENCE_MS }
  const openTransport = async () => (await import('nodemailer')).createTransport({ ...server, ...timeouts })
  const redact = redactorOf([server.auth?.pass ?? ''])
  const describeError = (error: unknown) => toStorableText(redact(String((error as Error)?.message ?? error)), ERROR_MAX)
  return {
    send: (letter) =>
      withDeadline(openTransport().then((transport) => transport.sendMail(composeMessage(letter, from)))).then(
        (): DeliveryResult => ({ kind: 'sent' }),
        (error): DeliveryResult => ({ kind: kindOf(error), error: describeError(error) }),
      ),
    verify: () => withDeadline(openTransport().then((transport) => transport.verify())).then(() => null, describeError),
  }
}

/** Classifies an error. A 5xx for a mail is final. Errors of the account or the connection concern the server. */
function kindOf(error: unknown): 'refused' | 'delayed' | 'away' {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'away'
  return responseCode >= 500 && responseCode < 600 ? 'refused' : 'delayed'
}

function withDeadline<V>(work: Promise<V>): Promise<V> {
  const late = Promise.withResolvers<never>()
  const deadline = setTimeout(() => late.reject(new Error(`The mail server took longer than ${ATTEMPT_MS / 1000} s.`)), ATTEMPT_MS)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(deadline))
}
