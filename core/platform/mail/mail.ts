import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Sender } from './address.ts'
import { openOutbox } from './outbox.ts'
import { type Send, sender } from './send.ts'
import { type Letter, type MailServer, type Outcome, openServer, senderOf } from './server.ts'

/** Mail service of the process. */
export interface Mail {
  /** Writes a mail in a transaction. A job sends it. */
  readonly send: Send
  readonly from: Sender
  /** Attempts to send a mail once. */
  post(letter: Letter): Promise<Outcome>
  /** Returns the last known state of the mail server; null if none is configured. */
  state(): 'ok' | 'unreachable' | null
  /** Checks the mail server. */
  look(): Promise<void>
}

/** Opens the mail service. Throws if `SMTP_URL` or `MAIL_FROM` is invalid. A server that does not answer is tolerated. */
export function openMail({ config, vault, log }: Pick<Context, 'vault' | 'log'> & { readonly config: Config }): Mail {
  const from = senderOf(config)
  const server: MailServer = config.smtpUrl ? openServer(config.smtpUrl, from) : openOutbox(config.dataDir, from)
  const health = trackHealth(log)
  return {
    send: sender({ vault, log, config }),
    from,
    async post(letter) {
      const outcome = await server.send(letter)
      health.note(outcome.kind === 'away' ? outcome.error : null)
      return outcome
    },
    state: () => (config.smtpUrl ? health.state() : null),
    look: async () => health.note(await server.verify()),
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
export async function watchServer({ mail }: Pick<Context, 'mail'>) {
  if (mail.state() === null) return { stop: async () => {} }
  void mail.look()
  const timer = setInterval(() => void (mail.state() === 'ok' || mail.look()), LOOK_MS)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}
