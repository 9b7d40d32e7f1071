/** What the measure uses of it; it brings no types. */
declare module 'oidc-provider' {
  interface Saved {
    save(): Promise<string>
  }
  interface Made extends Saved {
    addOIDCScope(scope: string): void
  }
  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Client: { find(id: string): Promise<object> }
    readonly Grant: new (
      of: object,
    ) => Made
    readonly RefreshToken: new (
      of: object,
    ) => Saved
    listen(port: number, host: string, done: () => void): { address(): { port: number } }
  }
}
