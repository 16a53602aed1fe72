module dractl-oracle

go 1.22
