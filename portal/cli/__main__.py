from portal.cli import main

main()
