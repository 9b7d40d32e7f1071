import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail, as its reader sees it. */
export interface ReadMail {
  readonly headers: ReadonlyMap<string, string>
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Words of a header that are not ASCII (RFC 2047). */
const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : quoted(word.replaceAll('_', ' ')),
    )

function quoted(text: string): string {
  const bytes = text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const at = raw.search(/\r?\n\r?\n/)
  const lines = raw
    .slice(0, at)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  return { headers, body: raw.slice(at).replace(/^\r?\n\r?\n/, '') }
}

function decoded({ headers, body }: ReturnType<typeof split>): string {
  const how = headers.get('content-transfer-encoding')?.toLowerCase()
  const text = how === 'base64' ? Buffer.from(body, 'base64').toString() : how === 'quoted-printable' ? quoted(body) : body
  return text.replaceAll('\r\n', '\n')
}

/** A mail off its bytes: a text and an HTML beside each other. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? 'none'
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r?\n/, '')))
  const partOf = (type: string) => parts.find((part) => part.headers.get('content-type')?.startsWith(type))
  const [text, html] = ['text/plain', 'text/html'].map((type) => {
    const part = partOf(type)
    return part ? decoded(part) : ''
  }) as [string, string]
  return { headers, to: headers.get('to') ?? '', subject: decodeWords(headers.get('subject') ?? ''), text, html }
}

/** What lies in the outbox of a server without a mail server, the oldest first. */
export async function readOutbox(dataDir: string): Promise<ReadMail[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(names.map(async (name) => readMail(await Bun.file(join(folder, name)).text())))
}
