import { sanitizeText } from './failure.ts'

/** Characters of a tool's result that go into a conversation. */
const TEXT_MAX = 60_000

interface ToolAnswer {
  readonly content?: readonly unknown[] | undefined
  readonly structuredContent?: unknown
}

interface ContentPart {
  readonly type?: unknown
  readonly text?: unknown
  readonly uri?: unknown
  readonly data?: unknown
  readonly mimeType?: unknown
  readonly resource?: { readonly text?: unknown; readonly uri?: unknown }
}

const kindOf = (part: ContentPart) => sanitizeText(typeof part.mimeType === 'string' ? part.mimeType : 'of an unknown kind', 60)
const addressOf = (uri: unknown) => sanitizeText(typeof uri === 'string' ? uri : '', 500)

/** Formats each type of content as text; media are only named. */
const formatters: Readonly<Record<string, (part: ContentPart) => string>> = {
  text: ({ text }) => (typeof text === 'string' ? text : ''),
  image: (part) => `[a picture, ${kindOf(part)}]`,
  audio: (part) => `[a sound, ${kindOf(part)}]`,
  resource_link: ({ uri }) => `[a link: ${addressOf(uri)}]`,
  resource: ({ resource }) =>
    typeof resource?.text === 'string' ? resource.text : `[a file, ${addressOf(resource?.uri) || 'of no name'}]`,
}

/** Formats a tool's result as text for a model. Cuts a long one and says so in it. */
export function formatToolResult({ content = [], structuredContent }: ToolAnswer): string {
  const parts = content.map((part) => {
    const { type } = part as ContentPart
    const format = typeof type === 'string' && Object.hasOwn(formatters, type) ? formatters[type] : undefined
    return format ? format(part as ContentPart) : '[something that cannot be shown]'
  })
  const text = parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n')
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}\n[cut: the answer had ${text.length} characters]` : text
}
