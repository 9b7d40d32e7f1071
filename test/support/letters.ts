import type { TestApp } from './app.ts'
import { type ReadMail, readOutbox } from './outbox.ts'

/** Waits for the newest mail to an address whose subject has these words, after so many of them. */
export async function letterTo({ context }: TestApp, to: string, words: string, before = 0): Promise<ReadMail> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const found = (await readOutbox(context.config.dataDir)).filter((one) => one.to === to && one.subject.includes(words))
    if (found.length > before) return found.at(-1)!
    await Bun.sleep(25)
  }
  throw new Error(`No mail "${words}" came to ${to}.`)
}

export const codeIn = ({ text }: ReadMail): string => /^(\d{8})$/m.exec(text)?.[1] ?? ''
export const tokenIn = ({ text }: ReadMail): string => /[?&]token=(\w+)/.exec(text)?.[1] ?? ''
/** Of the link, without where the server is. */
export const pathIn = ({ text }: ReadMail): string => /https?:\/\/[^/\s]+(\/\S+)/.exec(text)?.[1] ?? ''
