import type { TestApp } from './app.ts'
import { type ReadMail, readOutbox } from './outbox.ts'
import { until } from './until.ts'

/** Waits for the newest mail to an address whose subject has these words, after so many of them. */
export async function letterTo({ context }: TestApp, to: string, words: string, before = 0): Promise<ReadMail> {
  return until(async () => {
    const found = (await readOutbox(context.config.dataDir)).filter((one) => one.to === to && one.subject.includes(words))
    return found.length > before && found.at(-1)
  })
}

export const codeIn = ({ text }: ReadMail): string => /^(\d{8})$/m.exec(text)?.[1] ?? ''
export const tokenIn = ({ text }: ReadMail): string => /[?&]token=(\w+)/.exec(text)?.[1] ?? ''
/** Of the link, without where the server is. */
export const pathIn = ({ text }: ReadMail): string => /https?:\/\/[^/\s]+(\/\S+)/.exec(text)?.[1] ?? ''
