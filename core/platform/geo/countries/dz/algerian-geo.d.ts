declare module 'algerian-geo' {
  export interface SourceCommune {
    readonly post_code: string
    readonly name: string
    readonly ar_name: string
    readonly longitude: string
    readonly latitude: string
  }

  export function getAllCommunes(): SourceCommune[]
}
