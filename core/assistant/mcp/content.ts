import { words } from './failure.ts'

/** What of a tool's answer goes into a conversation. */
const TEXT_MAX = 60_000

interface Answer {
  readonly content?: readonly unknown[] | undefined
  readonly structuredContent?: unknown
}

interface Part {
  readonly type?: unknown
  readonly text?: unknown
  readonly uri?: unknown
  readonly data?: unknown
  readonly mimeType?: unknown
  readonly resource?: { readonly text?: unknown; readonly uri?: unknown }
}

const kindOf = (part: Part) => words(typeof part.mimeType === 'string' ? part.mimeType : 'of an unknown kind', 60)
const addressOf = (uri: unknown) => words(typeof uri === 'string' ? uri : '', 500)

/** How each part of an answer is told to a model that reads text alone; what cannot be is named. */
const tellings: Readonly<Record<string, (part: Part) => string>> = {
  text: ({ text }) => (typeof text === 'string' ? text : ''),
  image: (part) => `[a picture, ${kindOf(part)}]`,
  audio: (part) => `[a sound, ${kindOf(part)}]`,
  resource_link: ({ uri }) => `[a link: ${addressOf(uri)}]`,
  resource: ({ resource }) =>
    typeof resource?.text === 'string' ? resource.text : `[a file, ${addressOf(resource?.uri) || 'of no name'}]`,
}

/** A tool's answer as text; a long one is cut, and says so. */
export function textOf({ content = [], structuredContent }: Answer): string {
  const parts = content.map((part) => {
    const { type } = part as Part
    const tell = typeof type === 'string' && Object.hasOwn(tellings, type) ? tellings[type] : undefined
    return tell ? tell(part as Part) : '[something that cannot be shown]'
  })
  const text = parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n')
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}\n[cut: the answer had ${text.length} characters]` : text
}
