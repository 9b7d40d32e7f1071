import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Sender } from './address.ts'
import { openOutbox } from './outbox.ts'
import { type Send, sender } from './send.ts'
import { type Letter, type MailServer, type Outcome, openServer, senderOf } from './server.ts'

export interface Mail {
  /** Writes a mail in a transaction; a job sends it. */
  readonly send: Send
  readonly from: Sender
  /** One try. */
  post(letter: Letter): Promise<Outcome>
  /** How the mail server is, as far as is known; null where there is none. */
  state(): 'ok' | 'unreachable' | null
  /** Looks whether it answers. */
  look(): Promise<void>
}

/** Mail of this process. What is wrong with `SMTP_URL` or `MAIL_FROM` stops the start; a server that does not answer does not. */
export function openMail({ config, vault, log }: Pick<Context, 'vault' | 'log'> & { readonly config: Config }): Mail {
  const from = senderOf(config)
  const server: MailServer = config.smtpUrl ? openServer(config.smtpUrl, from) : openOutbox(config.dataDir, from)
  const health = healthOf(log)
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

/** Said once when it goes, and once when it is back. */
function healthOf(log: Logger) {
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

/** Looks after a mail server at the start, and as long as it is away. */
export async function watchServer({ mail }: Pick<Context, 'mail'>) {
  if (mail.state() === null) return { stop: async () => {} }
  void mail.look()
  const timer = setInterval(() => void (mail.state() === 'ok' || mail.look()), LOOK_MS)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}
