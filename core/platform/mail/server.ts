import { createTransport, type SMTPTransportOptions } from 'nodemailer'
import type { Config } from '../../config.ts'
import { redactorOf, storable } from '../../lib/redact.ts'
import { isAddress, readSender, type Sender } from './address.ts'
import type { Rendered } from './render.ts'

/** A mail as it goes out. */
export interface Letter extends Rendered {
  readonly id: string
  readonly to: string
  readonly at: Date
}

/** What became of a try. `refused`: for good. `away`: nothing of it was about this mail. */
export type Outcome = { readonly kind: 'sent' } | { readonly kind: 'refused' | 'delayed' | 'away'; readonly error: string }

export interface MailServer {
  send(letter: Letter): Promise<Outcome>
  /** Null where it answers and lets us in; else why not. */
  verify(): Promise<string | null>
}

const CONNECT_MS = 10_000
/** Without a word of the other side. */
const SILENCE_MS = 20_000
const WHOLE_MS = 60_000
const ERROR_MAX = 300
const ALLOWED = 'smtp://user:password@host:port or smtps://…, with ?tls=optional where a password may go to a server without TLS'

/** Where the letters of one mail begin to differ from another's: the same for each try, so that a mail that comes twice is known for one. */
export const messageIdOf = (id: string, { address }: Sender) => `<${id}@${address.split('@').at(-1)}>`

/** What nodemailer makes a mail of. */
export const composed = ({ id, to, at, subject, text, html }: Letter, from: Sender) => ({
  from,
  to: { name: '', address: to },
  envelope: { from: from.address, to: [to] },
  subject,
  text,
  html,
  messageId: messageIdOf(id, from),
  date: at,
  // No holiday notice comes back for it (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** `SMTP_URL` taken apart. Throws with its name, and never with what it holds. */
export function readServer(url: string): SMTPTransportOptions & { readonly host: string } {
  const parsed = URL.parse(url)
  const tls = parsed?.searchParams.get('tls') ?? 'required'
  const known = parsed && [...parsed.searchParams.keys()].every((name) => name === 'tls') && ['required', 'optional'].includes(tls)
  if (!parsed || !known || !/^smtps?:$/.test(parsed.protocol) || !parsed.hostname || !/^\/?$/.test(parsed.pathname))
    throw new Error(`SMTP_URL must be ${ALLOWED}.`)
  const [user, pass] = [parsed.username, parsed.password].map(decoded)
  const secure = parsed.protocol === 'smtps:'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(parsed.port) || (secure ? 465 : 587),
    secure,
    // A password is shown to nobody on the way.
    requireTLS: !secure && Boolean(user) && tls === 'required' && !isThisMachine(host),
    ...(user && { auth: { user, pass: pass ?? '' } }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`SMTP_URL must be ${ALLOWED}.`)
  }
}

const isThisMachine = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Who sends where `MAIL_FROM` is not set: the account at the server, if that is an address, else nobody in particular of this host. */
export function senderOf({ mailFrom, smtpUrl, publicUrl }: Pick<Config, 'mailFrom' | 'smtpUrl' | 'publicUrl'>): Sender {
  if (mailFrom) {
    const sender = readSender(mailFrom)
    if (!sender) throw new Error('MAIL_FROM must be an address, or Name <address>.')
    return sender
  }
  const user = smtpUrl && readServer(smtpUrl).auth?.user
  const host = (publicUrl && URL.parse(publicUrl)?.hostname) || 'localhost'
  const address = user && isAddress(user) ? user : `no-reply@${isAddress(`no-reply@${host}`) ? host : 'localhost'}`
  return { name: 'Serai', address }
}

/** A mail server: a connection for each mail, and no word of it kept that could be a secret. */
export function openServer(url: string, from: Sender): MailServer {
  const server = readServer(url)
  const transport = createTransport({
    ...server,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  })
  const redact = redactorOf([server.auth?.pass ?? ''])
  const told = (error: unknown) => storable(redact(String((error as Error)?.message ?? error)), ERROR_MAX)
  return {
    send: (letter) =>
      inTime(transport.sendMail(composed(letter, from))).then(
        (): Outcome => ({ kind: 'sent' }),
        (error): Outcome => ({ kind: kindOf(error), error: told(error) }),
      ),
    verify: () => inTime(transport.verify()).then(() => null, told),
  }
}

/** What a server says of a mail with 5xx it says for good; of our account it may think otherwise tomorrow. */
function kindOf(error: unknown): 'refused' | 'delayed' | 'away' {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'away'
  return responseCode >= 500 && responseCode < 600 ? 'refused' : 'delayed'
}

function inTime<V>(work: Promise<V>): Promise<V> {
  const late = Promise.withResolvers<never>()
  const deadline = setTimeout(() => late.reject(new Error(`The mail server took longer than ${WHOLE_MS / 1000} s.`)), WHOLE_MS)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(deadline))
}
