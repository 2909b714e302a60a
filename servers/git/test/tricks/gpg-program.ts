import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that signs commits and checks signatures. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'gpg.program', program)
    gitIn(folder, 'config', 'commit.gpgSign', 'true')
    gitIn(folder, 'config', 'tag.gpgSign', 'true')
    gitIn(folder, 'config', 'log.showSignature', 'true')
    const tree = gitIn(folder, 'rev-parse', 'HEAD^{tree}').trim()
    const person = 'A <a@example.org> 1767323045 +0000'
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
    const signed = `tree ${tree}\nauthor ${person}\ncommitter ${person}\n${signature}\n\nsigned\n`
    write(folder, '.git/signed', signed)
    gitIn(folder, 'update-ref', 'HEAD', gitIn(folder, 'hash-object', '-t', 'commit', '-w', '.git/signed').trim())
  },
  originalFalls: false,
}
