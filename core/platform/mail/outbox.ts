import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../lib/durations.ts'
import type { Sender } from './address.ts'
import { MAIL_RETENTION_DAYS } from './schedule.ts'
import { composeMessage, type MailServer, type OutgoingMail } from './server.ts'

/**
 * Opens the outbox, which replaces a mail server. Each mail becomes a file for a mail program. Only the process's account may read them,
 * since they contain codes.
 */
export function openOutbox(dataDir: string, from: Sender): MailServer {
  const folder = join(dataDir, 'outbox')

  async function writeMail(letter: OutgoingMail) {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ streamTransport: true, buffer: true })
    const { message } = await transport.sendMail(composeMessage(letter, from))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${letter.id}.eml`)
    await writeFile(`${file}.new`, message as Buffer, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  return {
    send: (letter) =>
      writeMail(letter).then(
        () => ({ kind: 'sent' }),
        (error) => ({ kind: 'away', error: `The outbox cannot be written: ${error.code ?? 'unknown'}` }),
      ),
    verify: async () => null,
  }
}

/** Deletes files that are past their retention time. */
export async function deleteOldOutboxFiles(dataDir: string, now = Date.now()): Promise<void> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => /\.(eml|json)(\.new)?$/.test(one))) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found && now - found.mtimeMs > MAIL_RETENTION_DAYS * DAY_MS) await rm(join(folder, name), { force: true })
  }
}
