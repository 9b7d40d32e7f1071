import type { Context } from '../../context.ts'

/** Who gives tokens: the address that the world uses, or the one that was asked. */
export const issuerOf = ({ config }: Pick<Context, 'config'>, request: Request): string => config.publicUrl ?? new URL(request.url).origin
