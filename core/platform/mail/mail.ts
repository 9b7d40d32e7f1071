import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Sender } from './address.ts'
import { openOutbox } from './outbox.ts'
import { createSender, type SendMail } from './send.ts'
import { type DeliveryResult, type MailServer, type OutgoingMail, openMailServer, senderOf } from './server.ts'

/** Mail service of the process. */
export interface MailService {
  /** Writes a mail in a transaction. A job sends it. */
  readonly send: SendMail
  readonly from: Sender
  /** Attempts to send a mail once. */
  attemptDelivery(letter: OutgoingMail): Promise<DeliveryResult>
  /** Returns the last known state of the mail server; null if none is configured. */
  state(): 'ok' | 'unreachable' | null
  /** Checks the mail server. */
  checkServer(): Promise<void>
}

/** Opens the mail service. Throws if `SMTP_URL` or `MAIL_FROM` is invalid. A server that does not answer is tolerated. */
export function openMail({ config, vault, log }: Pick<Context, 'vault' | 'log'> & { readonly config: Config }): MailService {
  const from = senderOf(config)
  const server: MailServer = config.smtpUrl ? openMailServer(config.smtpUrl, from) : openOutbox(config.dataDir, from)
  const health = trackHealth(log)
  return {
    send: createSender({ vault, log, config }),
    from,
    async attemptDelivery(letter) {
      const outcome = await server.send(letter)
      health.note(outcome.kind === 'away' ? outcome.error : null)
      return outcome
    },
    state: () => (config.smtpUrl ? health.state() : null),
    checkServer: async () => health.note(await server.verify()),
  }
}

/** Tracks whether the mail server answers. Logs each change once. */
function trackHealth(log: Logger) {
  let isAway = false
  return {
    state: () => (isAway ? ('unreachable' as const) : ('ok' as const)),
    note(error: string | null) {
      if (error !== null && !isAway) log.warn({ error }, 'mails cannot be sent now; they wait')
      if (error === null && isAway) log.info('mails can be sent again')
      isAway = error !== null
    },
  }
}

const LOOK_MS = 60_000

/** Checks the mail server at startup, and every minute while it is unreachable. */
export async function watchMailServer({ mail }: Pick<Context, 'mail'>) {
  if (mail.state() === null) return { stop: async () => {} }
  void mail.checkServer()
  const timer = setInterval(() => void (mail.state() === 'ok' || mail.checkServer()), LOOK_MS)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}
