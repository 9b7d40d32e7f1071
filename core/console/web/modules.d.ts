declare module 'serai:rights' {
  /** Needs of each operation: the least role and, for members with individual permissions, the permission. */
  const rights: Readonly<Record<string, readonly [role: string, permission?: string]>>
  export default rights
}

declare module '*.css'
